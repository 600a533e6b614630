/** The panel of the shapes on the map: which one is searched in, areas, GeoJSON in and out. */
import { useState } from 'preact/hooks';
import { saveFile } from '../shared/files.ts';
import { Button, PanelHead, SmallButton } from '../shared/ui.tsx';
import type { MapView } from './mapView.ts';
import { GeoJsonError, readGeoJson, writeGeoJson } from './readGeoJson.ts';
import { areaOfShape, type DrawnShape, wordsOfArea, wordsOfShape } from './shapes.ts';
import type { KeptShapes, ShapeActions } from './useShapes.ts';

const FILE_NAME = 'shapes.geojson';

const saveGeoJson = (shapes: readonly DrawnShape[]) =>
  saveFile(new Blob([JSON.stringify(writeGeoJson(shapes), null, 1)], { type: 'application/geo+json' }), FILE_NAME);

interface ShapeRowProps {
  shape: DrawnShape;
  isSearched: boolean;
  actions: ShapeActions;
  map: MapView | null;
}

const ShapeRow = ({ shape, isSearched, actions, map }: ShapeRowProps) => (
  <li>
    <label>
      <input type="radio" name="searched-shape" checked={isSearched} onChange={() => actions.search(shape)} />
      <span>
        <strong>{wordsOfShape(shape)}</strong> <span class="note">{wordsOfArea(areaOfShape(shape))}</span>
      </span>
    </label>
    <span class="actions">
      {map && <SmallButton onClick={() => map.fitShape(shape)}>Fit</SmallButton>}
      <button type="button" class="small" aria-label={`Remove: ${wordsOfShape(shape)}`} onClick={() => actions.remove([shape])}>
        Remove
      </button>
    </span>
  </li>
);

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
        <button type="button" disabled={!text.trim()} onClick={() => take(text)}>
          Add to the map
        </button>
      </p>
    </div>
  );
}

interface ShapesPanelProps {
  shapes: KeptShapes;
  actions: ShapeActions;
  map: MapView | null;
  onClose: () => void;
}

export function ShapesPanel({ shapes, actions, map, onClose }: ShapesPanelProps) {
  const { all, isSearched } = shapes;
  return (
    <section class="panel shapes" aria-labelledby="shapes-title">
      <PanelHead id="shapes-title" title="Shapes" onClose={onClose} />
      <p class="note">
        A search goes into one shape at a time: a polygon of up to 1,000 corners without holes, a rectangle, or a circle of 100 m to 500 km.
        The others stay on the map until the page is closed; a file keeps them.
      </p>
      {all.length > 0 ? (
        <ul>
          {all.map((shape) => (
            <ShapeRow key={shape.filter + shape.text} shape={shape} isSearched={isSearched(shape)} actions={actions} map={map} />
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
