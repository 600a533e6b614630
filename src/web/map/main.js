// The entry of the page.
import { render } from 'preact';
import { App } from './app.js';
import { html } from './html.js';

const place = document.getElementById('app');
if (place) render(html`<${App} />`, place);
