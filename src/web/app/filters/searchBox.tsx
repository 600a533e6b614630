/**
 * The box that understands places, addresses, numbers, words of filters and sentences. Each offer says the chip that it makes; nothing is applied
 * unseen.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useListener } from '../shared/hooks.ts';
import type { TabName } from '../shared/state.ts';
import { type FilterOffer, OFFER_RANKS, offersFor, offersOfPage } from './offers.ts';
import { usePlaceOffers } from './placeSearch.ts';
import { useReferenceOffers } from './referenceSearch.ts';
import { useSentenceOffers } from './sentence.ts';
import type { FilterUse } from './useFilters.ts';

const LIST_ID = 'filter-offers';
const optionId = (at: number) => `filter-offer-${at}`;

const isTyping = (target: EventTarget | null) => target instanceof Element && target.matches('input, textarea, select, [contenteditable]');

/** Moves the focus to the box for Ctrl-K, and for a slash that is typed elsewhere. */
const useShortcuts = (input: { current: HTMLInputElement | null }): void =>
  useListener('keydown', (event) => {
    const hasModifier = event.ctrlKey || event.metaKey;
    const isMeant = hasModifier ? event.key === 'k' : event.key === '/' && !isTyping(event.target);
    if (!isMeant || event.defaultPrevented) return;
    event.preventDefault();
    input.current?.select();
    input.current?.focus();
  });

interface OffersProps {
  offers: readonly FilterOffer[];
  active: number;
  onTake: (offer: FilterOffer) => void;
}

const Offers = ({ offers, active, onTake }: OffersProps) => (
  <div class="offers" id={LIST_ID} role="listbox" aria-label="What the words can mean">
    {offers.map((offer, i) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the box keeps the focus, and its keys choose
      <div
        key={offer.key}
        id={optionId(i)}
        role="option"
        tabIndex={-1}
        aria-selected={i === active}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onTake(offer)}
      >
        <span class="offer-label">{offer.label}</span> <span class="offer-text">{offer.text}</span>{' '}
        {offer.note && <span class="note">{offer.note}</span>}
      </div>
    ))}
  </div>
);

interface SearchBoxProps {
  use: FilterUse;
  /** parts of the page by their names */
  tabs: ReadonlyMap<string, TabName>;
  isSought: boolean;
  onTake: (offer: FilterOffer) => void;
}

export function SearchBox({ use, tabs, isSought, onTake }: SearchBoxProps) {
  const { catalogue, filters, states } = use;
  const [text, setText] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(0);
  const [isEntered, setIsEntered] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useShortcuts(input);
  useLayoutEffect(() => {
    if (isSought) input.current?.focus();
  }, []);
  const places = usePlaceOffers(text, states, filters);
  const typed = offersFor(text, { catalogue, filters });
  const sentence = useSentenceOffers(text, use, typed);
  const references = useReferenceOffers(sentence.unread);
  const isWaiting = places.isWaiting || sentence.isWaiting || references.isWaiting;
  const offers = [...references.offers, ...sentence.offers, ...typed, ...places.offers, ...offersOfPage(text, tabs)].sort(
    (one, other) => one.rank - other.rank,
  );
  const take = (offer: FilterOffer) => {
    setText('');
    setIsOpen(false);
    setIsEntered(false);
    onTake(offer);
  };
  const [first] = offers;
  // Enter that comes before the places or the reading of a sentence waits for them, unless what it takes stands above them.
  useLayoutEffect(() => {
    if (isEntered && !isWaiting && first) take(first);
  }, [isEntered, isWaiting]);
  const write = (next: string) => {
    setText(next);
    setIsOpen(next.trim() !== '');
    setActive(0);
    setIsEntered(false);
  };
  const isShown = isOpen && offers.length > 0;
  const keys = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step && offers.length) {
      event.preventDefault();
      setIsOpen(true);
      setActive(isShown ? (active + step + offers.length) % offers.length : 0);
    } else if (event.key === 'Escape') {
      if (isShown) event.preventDefault();
      if (isShown) setIsOpen(false);
      else write('');
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const chosen = offers[active];
      if (isShown && chosen && (active > 0 || chosen.rank < OFFER_RANKS.place || !isWaiting)) take(chosen);
      else if (text.trim()) setIsEntered(true);
    }
  };
  useLayoutEffect(() => {
    if (isShown) document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' });
  }, [isShown, active]);
  return (
    <div class="filter-search">
      <label class="hidden" for="filter-search">
        Search
      </label>
      <input
        ref={input}
        id="filter-search"
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        maxLength={200}
        placeholder="A place, an address, a case number, or a sentence"
        value={text}
        aria-expanded={isShown}
        aria-controls={LIST_ID}
        aria-autocomplete="list"
        aria-activedescendant={isShown ? optionId(active) : undefined}
        onInput={(event) => write(event.currentTarget.value)}
        onFocus={() => setIsOpen(text.trim() !== '')}
        onBlur={() => setIsOpen(false)}
        onKeyDown={keys}
      />
      {isShown && <Offers offers={offers} active={active} onTake={take} />}
      <span class="hidden" role="status">
        {isShown ? `${offers.length} offers` : ''}
      </span>
    </div>
  );
}
