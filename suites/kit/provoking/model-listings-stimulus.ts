import { ENDPOINTS } from '../../../fixtures/chats/wire.ts';
import { gets } from './get-stimulus.ts';

/** The list of models of each key that has one. */
export const modelListings = gets('model-listings', ENDPOINTS.models, ['primary', 'second']);
