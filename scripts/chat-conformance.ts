#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Before anything else is loaded: it halves the time to the mock's first answer.
enableCompileCache();
const { runCommandLine } = await import('./command-line.ts');
await runCommandLine(process.argv.slice(2));
