/** What areas are called where their reader gave no name: after the nearest larger city. */
import { metersBetween } from '../../../core/domain/distance.ts';
import { onceRead } from './api.ts';
import { useAnswer } from './hooks.ts';
import { settings } from './settings.ts';
import { boxOfShape, type DrawnShape, keyOfShape, longitudeOnMap, type ShapeNames } from './shapes.ts';

interface NamedPoints {
  features: readonly { properties: { name: string; kind: string }; geometry: { coordinates: [number, number] } }[];
}

/** The file that the map labels its cities from. */
const readPoints = onceRead<NamedPoints>(settings.outlines.names);

/** `area near Dallas` */
function nameByCity(shape: DrawnShape, { features }: NamedPoints): string {
  const { north, south, east, west } = boxOfShape(shape);
  const middle = { latitude: (north + south) / 2, longitude: longitudeOnMap((east + west) / 2) };
  const distances = features
    .filter(({ properties: { kind } }) => kind === 'city')
    .map(({ properties: { name }, geometry: { coordinates } }) => {
      const [longitude, latitude] = coordinates;
      return { name, meters: metersBetween(middle, { latitude, longitude }) };
    });
  const [first, ...others] = distances;
  return first ? `area near ${others.reduce((nearest, one) => (one.meters < nearest.meters ? one : nearest), first).name}` : 'an area';
}

export function useShapeNames(shapes: readonly DrawnShape[]): ShapeNames {
  const unnamed = shapes.filter(({ name }) => !name);
  const { answer } = useAnswer(
    async () =>
      unnamed.length
        ? new Map(await readPoints().then((points) => unnamed.map((one) => [keyOfShape(one), nameByCity(one, points)] as const)))
        : null,
    [unnamed.map(keyOfShape).join()],
  );
  return answer ?? new Map();
}
