import { createInterface } from 'node:readline';
import { endTree } from '../../caller/process-tree.ts';

// A process of its own, which lives as long as the run that started it, and knows of that run's end by the end of its
// input: however the run ended, by kill -9 too, the service that it started ends with it.

let tree: { readonly leader: number; readonly mark: string } | undefined;

createInterface({ input: process.stdin })
  .on('line', (line) => (tree = JSON.parse(line) ?? undefined))
  .on('close', () => {
    if (tree !== undefined) endTree(tree.leader, tree.mark);
  });
