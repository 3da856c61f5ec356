import { LIMITS } from "../../catalogue/limits.ts";
import { pictureOf } from "./rules.ts";

/** A picture that may be shown: its URL as `pictureOf` has it, and its size. */
export interface KnownPicture {
  url: string;
  size_bytes: number;
}

/** Stands for a picture until its bytes are written: a character that no HTML of ours has, around its place. */
export const PICTURE_MARK = "\u0000";

/** The pictures of one mail while it is rendered. */
export interface Pictures {
  /** The remote pictures that the mail names and that aren't known, as far as they would be fetched. */
  remote: ReadonlySet<string>;
  /** What to write for a URL that names a picture: a mark, the URL itself, or undefined if the picture isn't shown. */
  show(url: string): string | undefined;
}

/** Shows the known pictures within the limits of a view, counting each time that one is shown. */
export function createPictures(known: readonly KnownPicture[]): Pictures {
  const places = new Map(known.map(({ url }, place) => [url, place]));
  const remote = new Set<string>();
  const shown = new Set<number>();
  let bytes = 0;

  const markOf = (place: number): string | undefined => {
    const { size_bytes } = known[place] as KnownPicture;
    const is_over =
      size_bytes > LIMITS.view_picture_bytes ||
      bytes + size_bytes > LIMITS.view_pictures_bytes ||
      (!shown.has(place) && shown.size >= LIMITS.view_pictures);
    if (is_over) return undefined;
    bytes += size_bytes;
    shown.add(place);
    return PICTURE_MARK + String(place) + PICTURE_MARK;
  };

  return {
    remote,
    show(url) {
      const source = pictureOf(url);
      if (source === undefined) return undefined;
      if (source.kind === "written") return source.url;
      const place = places.get(source.url);
      if (place !== undefined) return markOf(place);
      if (source.kind === "remote" && remote.size < LIMITS.view_pictures) remote.add(source.url);
      return undefined;
    },
  };
}
