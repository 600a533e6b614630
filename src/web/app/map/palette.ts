/** Colours of the map in both themes, equal to the variables of app.css. Pure. */
import type { Theme } from '../shared/theme.ts';

/** Building Types in the order of the legend. */
export const TYPE_COLOURS: Readonly<Record<string, Readonly<Record<Theme | 'label', string>>>> = {
  residential: { light: '#1f6fb4', dark: '#6db3f2', label: 'Residential' },
  commercial: { light: '#b3541e', dark: '#f09a5e', label: 'Commercial' },
  industrial: { light: '#6b4fa3', dark: '#b79cf0', label: 'Industrial' },
  institutional_public: { light: '#0f7b6c', dark: '#4fc9b5', label: 'Institutional' },
  mixed_use: { light: '#b02a6b', dark: '#f283b6', label: 'Mixed Use' },
  infrastructure: { light: '#5c6770', dark: '#aab4bd', label: 'Infrastructure' },
  agricultural: { light: '#587a1b', dark: '#a9cf5f', label: 'Agricultural' },
};
/** Any other Building Type, and none. */
export const OTHER_COLOUR: Readonly<Record<Theme, string>> = { light: '#3a4652', dark: '#d0d7dd' };

export const colourOf = (type: string | null, theme: Theme): string => (TYPE_COLOURS[type ?? ''] ?? OTHER_COLOUR)[theme];

const LIGHT = {
  land: '#f6f7f5',
  water: '#d9e6ec',
  county: '#cfd6d4',
  state: '#98a5a9',
  text: '#4b5863',
  halo: '#f6f7f5',
  few: '#8cc3dc',
  some: '#3d93b8',
  many: '#0b5c7d',
  most: '#083b52',
  onCell: '#ffffff',
  onFew: '#0a2f40',
  edge: '#ffffff',
  shape: '#b3541e',
  mark: '#d0342c',
} as const;

type ThemeColours = Readonly<Record<keyof typeof LIGHT, `#${string}`>>;

const DARK: ThemeColours = {
  land: '#14191d',
  water: '#1d2c36',
  county: '#2f3940',
  state: '#55636d',
  text: '#a9b5bf',
  halo: '#14191d',
  few: '#27506a',
  some: '#2f7ba3',
  many: '#4aa8d6',
  most: '#a5dcf5',
  onCell: '#06202c',
  onFew: '#e8f4fa',
  edge: '#14191d',
  shape: '#f09a5e',
  mark: '#ff8a80',
};

export const THEMES: Readonly<Record<Theme, ThemeColours>> = { light: LIGHT, dark: DARK };
