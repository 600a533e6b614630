/** The panel of the shapes on the map: which are searched in, their names and counts, GeoJSON in and out. */
import { useState } from 'preact/hooks';
import { useShapeNames } from '../shared/areaNames.ts';
import { BriefForm } from '../shared/briefForm.tsx';
import { saveFile } from '../shared/files.ts';
import { Check, Typed } from '../shared/inputs.tsx';
import {
  areaOfShape,
  circleShape,
  type DrawnShape,
  isSameShape,
  nameOfShape,
  radiusOf,
  ringOfShape,
  SEARCHED_MAX,
  wordsOfArea,
  wordsOfShape,
} from '../shared/shapes.ts';
import { Button, PanelHead, ProblemNotice, Problems, SmallButton } from '../shared/ui.tsx';
import { countInWords, joinParts } from '../shared/words.ts';
import type { MapView } from './mapView.ts';
import { GeoJsonError, readGeoJson, writeGeoJson } from './readGeoJson.ts';
import type { KeptShapes, ShapeActions } from './useShapes.ts';

const FILE_NAME = 'shapes.geojson';

const saveGeoJson = (shapes: readonly DrawnShape[]) =>
  saveFile(new Blob([JSON.stringify(writeGeoJson(shapes), null, 1)], { type: 'application/geo+json' }), FILE_NAME);

interface ShapeRowProps {
  shape: DrawnShape;
  /** what it is called unless its reader names it */
  called: string;
  place: number;
  shapes: KeptShapes;
  /** matches in it; undefined where it is not searched in, or not counted yet */
  count: number | undefined;
  actions: ShapeActions;
  map: MapView | null;
}

const METERS_PER_KM = 1000;

/** Where a brief of a shape is about. */
const briefPlaceOf = (shape: DrawnShape) => ({
  ...(shape.filter === 'circle' ? { circle: JSON.parse(shape.text) } : { polygon: ringOfShape(shape) }),
  ...(shape.name ? { name: shape.name } : {}),
});

function ShapeRow({ shape, called, place, shapes, count, actions, map }: ShapeRowProps) {
  const isSearched = shapes.isSearched(shape);
  const radiusMeters = radiusOf(shape);
  const [isBriefOpen, setBriefOpen] = useState(false);
  const replace = (next: DrawnShape) => {
    if (isSearched) actions.search(next, shape);
    else shapes.change(shapes.all.map((one) => (one === shape ? next : one)));
  };
  const rename = (name: string) => replace({ filter: shape.filter, text: shape.text, ...(name ? { name } : {}) });
  const resize = (kilometers: string) => {
    const next = circleShape({ ...JSON.parse(shape.text), radiusMeters: Number(kilometers) * METERS_PER_KM });
    replace({ ...next, ...(shape.name ? { name: shape.name } : {}) });
  };
  return (
    <li>
      <Check
        checked={isSearched}
        disabled={!isSearched && shapes.searched.length >= SEARCHED_MAX}
        onChange={() => actions.choose(shape, !isSearched)}
        label={
          <span>
            <strong>{called}</strong>
            {count !== undefined && `: ${countInWords(count, 'project')}`}
            <span class="note">{joinParts(wordsOfShape(shape), wordsOfArea(areaOfShape(shape)))}</span>
          </span>
        }
      />
      <div class="row">
        <Typed
          id={`area-name-${place}`}
          type="text"
          label={`Name of area ${place}`}
          value={shape.name ?? ''}
          placeholder={called}
          isWrong={false}
          onChange={rename}
        />
        {radiusMeters !== null && (
          <Typed
            id={`area-radius-${place}`}
            type="number"
            label="Radius, km"
            value={String(radiusMeters / METERS_PER_KM)}
            isWrong={false}
            onChange={(text) => Number(text) > 0 && resize(text)}
          />
        )}
      </div>
      <span class="actions">
        {map && <SmallButton onClick={() => map.fitShape(shape)}>Fit</SmallButton>}
        <SmallButton aria-expanded={isBriefOpen} onClick={() => setBriefOpen(!isBriefOpen)}>
          Site brief
        </SmallButton>
        <SmallButton aria-label={`Remove: ${called}`} onClick={() => actions.remove([shape])}>
          Remove
        </SmallButton>
      </span>
      {isBriefOpen && (
        <Problems>
          <ProblemNotice />
          <BriefForm place={briefPlaceOf(shape)} choosesUse />
        </Problems>
      )}
    </li>
  );
}

/** A file or a pasted text. */
function GeoJsonInput({ onShapes }: { onShapes: (shapes: readonly DrawnShape[]) => void }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const [notes, setNotes] = useState<readonly string[]>([]);
  const take = (given: string) => {
    setNotes([]);
    setProblem('');
    try {
      const read = readGeoJson(given);
      setNotes(read.notes);
      setText('');
      onShapes(read.shapes);
    } catch (error) {
      if (!(error instanceof GeoJsonError)) throw error;
      setProblem(error.message);
    }
  };
  const takeFile = async (input: HTMLInputElement) => {
    const [file] = input.files ?? [];
    if (file) take(await file.text());
    input.value = '';
  };
  return (
    <div class="geojson">
      <h3>GeoJSON</h3>
      <label for="geojson-file">Open a file</label>
      <input
        id="geojson-file"
        type="file"
        accept=".geojson,.json,application/geo+json,application/json"
        onChange={(event) => takeFile(event.currentTarget)}
      />
      <label for="geojson-text">Or paste it</label>
      <textarea id="geojson-text" rows={4} value={text} spellcheck={false} onInput={(event) => setText(event.currentTarget.value)} />
      {problem && (
        <p class="notice" role="alert">
          {problem}
        </p>
      )}
      {notes.map((note) => (
        <p key={note} class="notice calm" role="status">
          {note}
        </p>
      ))}
      <p class="actions">
        <Button disabled={!text.trim()} onClick={() => take(text)}>
          Add to the map
        </Button>
      </p>
    </div>
  );
}

interface ShapesPanelProps {
  shapes: KeptShapes;
  /** matches in each of the areas of the search, in their order */
  counts: readonly number[];
  actions: ShapeActions;
  map: MapView | null;
  onClose: () => void;
}

export function ShapesPanel({ shapes, counts, actions, map, onClose }: ShapesPanelProps) {
  const { all, searched } = shapes;
  const names = useShapeNames(all);
  const countOf = (shape: DrawnShape) => counts[searched.findIndex((one) => isSameShape(one, shape))];
  return (
    <section class="panel shapes" aria-labelledby="shapes-title">
      <PanelHead id="shapes-title" title="Areas" onClose={onClose} />
      <p class="note">
        A search finds what lies in any of up to {SEARCHED_MAX} chosen areas: polygons of up to 1,000 corners without holes, rectangles, or
        circles of 100 m to 500 km. Others stay on the map until the page is closed; a file keeps them.
      </p>
      {all.length > 0 ? (
        <ul>
          {all.map((shape, i) => (
            <ShapeRow
              key={shape.filter + shape.text}
              shape={shape}
              called={nameOfShape(shape, names)}
              place={i + 1}
              shapes={shapes}
              count={countOf(shape)}
              actions={actions}
              map={map}
            />
          ))}
        </ul>
      ) : (
        <p class="empty">Draw one with the buttons on the map, or open a GeoJSON file.</p>
      )}
      {all.length > 0 && (
        <p class="actions">
          <Button onClick={() => saveGeoJson(all)}>Save as GeoJSON</Button>
          {all.length > 1 && <Button onClick={() => actions.remove(all)}>Remove all</Button>}
        </p>
      )}
      <GeoJsonInput onShapes={actions.add} />
    </section>
  );
}
