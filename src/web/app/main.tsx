/** The entry of the page. */
import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './shared/theme.ts';

applyTheme();
const place = document.getElementById('app');
if (place) render(<App />, place);
