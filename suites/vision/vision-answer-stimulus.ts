import { ENDPOINTS } from '../../fixtures/wire.ts';
import { gets } from '../kit/provoking/get-stimulus.ts';

export const visionAnswer = gets('vision-answer', ENDPOINTS.vision, ['primary']);
