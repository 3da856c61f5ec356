/** Some area codes of each region, enough to try with. */
const REGIONS: Readonly<Record<string, string>> = {
  AB: "403 587 780",
  BC: "236 604 778",
  CA: "213 310 408 415 510 619 628 650",
  CO: "303 720",
  DC: "202",
  FL: "305 407 813",
  GA: "404 470",
  IL: "312 773",
  MA: "617 857",
  NY: "212 332 347 646 718",
  ON: "416 437 647",
  OR: "503 971",
  PA: "215 267",
  QC: "418 514",
  TX: "214 512 713 737",
  WA: "206 253",
};

const REGION_OF_AREA = new Map(
  Object.entries(REGIONS).flatMap(([region, areas]) =>
    areas.split(" ").map((area) => [area, region] as const),
  ),
);

/** The state, province or territory of an area code; null where the simulator doesn't know it. */
export function regionOf(area_code: string): string | null {
  return REGION_OF_AREA.get(area_code) ?? null;
}
