import type { Permission } from "@letterslot/client";
import { words } from "../../../words/index.ts";

/** What these permissions allow, in words. */
export function Rights({ names }: { names: readonly Permission[] }) {
  return (
    <ul class="grid gap-0.5">
      {words.permissionGroups.flatMap(([, permissions]) =>
        (Object.entries(permissions) as [Permission, string][])
          .filter(([name]) => names.includes(name))
          .map(([name, meaning]) => <li key={name}>{meaning}</li>),
      )}
    </ul>
  );
}
