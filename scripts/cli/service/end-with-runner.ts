import { createInterface } from 'node:readline';
import { endGroup } from '../../caller/process-group.ts';

// A process of its own, which lives as long as the run that started it, and knows of that run's end by the end of its
// input: however the run ended, by kill -9 too, the service that it started ends with it.

let leader: number | undefined;

createInterface({ input: process.stdin })
  .on('line', (line) => (leader = JSON.parse(line) ?? undefined))
  .on('close', () => {
    if (leader !== undefined) endGroup(leader);
  });
