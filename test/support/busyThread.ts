/** Work for a thread of `OwnThread`: keeps it busy for that long, and answers the same number. */
export default function stayBusy(milliseconds: number): number {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
  return milliseconds;
}

export const ready = () => {};
