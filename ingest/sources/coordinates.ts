/** Coordinates within the state that the source names. Pure. */
import boxes from './rules/state_boxes.json' with { type: 'json' };

interface Position {
  latitude: number | null;
  longitude: number | null;
  /** `bad_coordinates` where the source gives a point outside its state */
  notes: string[];
}

type Box = { south: number; north: number; west: number; east: number };
const BOXES: Record<string, Box> = boxes;

/** The point, if it lies in the bounding box of the state (USPS abbreviation); otherwise null with a note. Two empty values give null without a note. */
export function toPosition(state: string, latitude: unknown, longitude: unknown): Position {
  const none = { latitude: null, longitude: null };
  if (String(latitude ?? '') === '' && String(longitude ?? '') === '') return { ...none, notes: [] };
  const box = BOXES[state];
  if (!box) throw new Error(`No box for the state ${state} in rules/state_boxes.json`);
  const [lat, lng] = [Number(latitude), Number(longitude)];
  const inside = lat >= box.south && lat <= box.north && lng >= box.west && lng <= box.east;
  return inside ? { latitude: lat, longitude: lng, notes: [] } : { ...none, notes: ['bad_coordinates'] };
}
