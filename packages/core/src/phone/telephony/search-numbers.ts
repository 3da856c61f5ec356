import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { countOrFail } from "../../kernel/rate.ts";
import type { AvailableNumber } from "../../ports/telephony.ts";
import { errorOf } from "./provider.ts";
import { isAreaCode } from "./rules.ts";

const MINUTE_MS = 60_000;

/**
 * Numbers that the provider has to sell, of an area code or any. Fails with `invalid_area_code`, `rate_limited` or
 * `telephony_unavailable`.
 */
export async function searchNumbers(
  { storage, telephony, account_id, now }: AccountContext,
  search: { area_code: string | null; limit: number },
): Promise<AvailableNumber[]> {
  const { area_code } = search;
  if (area_code !== null && !(await isAreaCode(area_code)))
    throw fail("invalid_area_code", { param: "area_code" });
  const cap = {
    name: `phone_searches:${account_id}`,
    max: LIMITS.phone_searches_per_minute,
    window_ms: MINUTE_MS,
  };
  await countOrFail(storage, cap, now);
  try {
    return (await telephony.searchNumbers(search)).slice(0, search.limit);
  } catch (error) {
    throw errorOf(error);
  }
}
