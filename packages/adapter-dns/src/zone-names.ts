/** Zones that a domain is looked for in, at most: it may have many labels. */
const MAX_CANDIDATES = 10;

/** A domain and the zone that supposedly contains it; null if the zone is unknown. */
export interface ZoneNames {
  domain: string;
  zone: string | null;
}

/** Whether a name is a zone's apex or below it. */
export const isInZone = (name: string, zone: string): boolean => name === zone || name.endsWith(`.${zone}`);

/** The names of which one is the apex of the domain's zone, the likeliest first: a zone's zone comes after it. */
export function zoneCandidates({ domain, zone }: ZoneNames): string[] {
  if (zone !== null) return [zone];
  const labels = domain.split(".");
  const names = labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
  return names.slice(-MAX_CANDIDATES);
}
