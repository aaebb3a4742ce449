import { json } from 'node:stream/consumers';

// npm's bill of materials without what is for development alone. npm itself can leave that out (--omit=dev), but then it also
// leaves out each package that is needed here and by a tool.

interface Component {
  readonly 'bom-ref': string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

interface Bill {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

function isForDevelopment({ properties = [] }: Component): boolean {
  return properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what npm prints
const bill = (await json(process.stdin)) as Bill;
const left = new Set(bill.components.filter(isForDevelopment).map((component) => component['bom-ref']));
const shipped = {
  ...bill,
  components: bill.components.filter((component) => !left.has(component['bom-ref'])),
  dependencies: bill.dependencies
    .filter(({ ref }) => !left.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => !left.has(each)) })),
};
process.stdout.write(`${JSON.stringify(shipped, null, 2)}\n`);
