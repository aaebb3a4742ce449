import { TINY_PNG } from '../../../fixtures/chats/image-chats.ts';
import type { CallerScenario, TaskItem } from './scenario.ts';

const WISH: TaskItem = {
  id: 'wish-1',
  text: 'Wish 1 of 1: which colour is this?',
  maxTokens: 16,
  stream: false,
  image: `data:image/png;base64,${TINY_PNG}`,
};

/** An image is wished for; whether one can be sent, the vision endpoint says. */
export const IMAGE_SCENARIOS = {
  'image-with-vision': {
    faithful: 'Asks the vision endpoint, and sends the image to a model that takes it.',
    clauses: ['VIS-2'],
    items: [WISH],
    atOnce: 1,
    faults: [],
  },
  'image-without-vision': {
    faithful: 'Asks the vision endpoint, and sends no image.',
    clauses: ['VIS-2'],
    items: [WISH],
    atOnce: 1,
    faults: [],
    vision: false,
  },
} satisfies Readonly<Record<string, CallerScenario>>;
