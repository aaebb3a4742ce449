import type { ChatSettings } from '../../fixtures/chats/chat.ts';
import { IMAGE_SHAPES, type ImageShape } from '../../fixtures/chats/image-chats.ts';
import { usableModels } from '../engine/inputs/provoking/listed-models.ts';
import type { TargetInfo } from '../engine/model/target.ts';

/** The shapes that the target may accept: those pinned as served first, without those pinned as refused. */
export function servableShapes({ profile }: TargetInfo): readonly ImageShape[] {
  const pinned = (shape: ImageShape): unknown => profile.pins?.[shape.point];
  const open = IMAGE_SHAPES.filter((shape) => pinned(shape) !== 'refused');
  return open.toSorted((a, b) => Number(pinned(b) === 'served') - Number(pinned(a) === 'served'));
}

/** Settings for the cheapest model that is known to have vision, or known not to have it. */
export function settingsWithVision(info: TargetInfo, vision: boolean): ChatSettings | undefined {
  const model = usableModels(info).find((listed) => listed.vision === vision);
  return model === undefined ? undefined : { model: model.id, maxTokens: info.outputTokens };
}

export function missingVisionModel(info: TargetInfo): string | undefined {
  return missingModel(info, true, 'no listed model is known to have vision enabled');
}

export function missingBlindModel(info: TargetInfo): string | undefined {
  return missingModel(info, false, 'no listed model is known to be without vision');
}

function missingModel(info: TargetInfo, vision: boolean, reason: string): string | undefined {
  if (settingsWithVision(info, vision) !== undefined) return undefined;
  return `${reason} (a profile can say so: "models": { ID: { "vision": ${vision} } })`;
}
