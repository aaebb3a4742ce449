import { conformanceTests } from './vitest-checks.ts';

await conformanceTests();
