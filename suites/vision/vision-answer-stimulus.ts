import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { gets } from '../kit/provoking/get-stimulus.ts';

export const visionAnswer = gets('vision-answer', ENDPOINTS.vision, ['primary']);

/** A key without a model that sees is answered all the same. */
export const visionAnswers = gets('vision-answers', ENDPOINTS.vision, ['primary', 'second']);
