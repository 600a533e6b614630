/** The corners of a shape as WKT writes them, longitude before latitude: `0 0, 4 0, 4 4`. */
export const points = (text: string): [number, number][] =>
  text.split(', ').map((point) => {
    const [longitude = 0, latitude = 0] = point.split(' ').map(Number);
    return [longitude, latitude];
  });
