import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { getStimulus } from '../kit/provoking/get-stimulus.ts';

export const visionAnswer = getStimulus('vision-answer', ENDPOINTS.vision, ['primary']);

/** A key without a model that sees is answered all the same. */
export const visionAnswers = getStimulus('vision-answers', ENDPOINTS.vision, ['primary', 'second']);
