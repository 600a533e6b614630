// What the pages of the reference do with a script: the reader's key in the examples, copying, tabs, the search, and requests from the page.
import { fillKey, showReader } from './key.js';
import { showSearch } from './search.js';
import { showTabs } from './tabs.js';
import { showTry } from './tryIt.js';

showTabs();
showReader();
fillKey();
showSearch();
showTry();
