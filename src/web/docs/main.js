// The script of the reference's pages: the reader's key in the examples, copy buttons, tabs, search, and requests from the page.
import { fillKey, showReader } from './key.js';
import { showSearch } from './search.js';
import { showTabs } from './tabs.js';
import { showTry } from './tryIt.js';

showTabs();
showReader();
fillKey();
showSearch();
showTry();
