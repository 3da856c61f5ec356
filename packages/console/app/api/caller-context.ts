import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Caller } from "./caller.ts";

interface Entered {
  caller: Caller;
  /** Looks anew who is signed in and where, and asks for everything again. */
  reenter: () => void;
}

export const CallerContext = createContext<Entered | null>(null);

/** Who looks. Only within the console, where somebody is signed in. */
export function useCaller(): Entered {
  const entered = useContext(CallerContext);
  if (entered === null) throw new Error("nobody is signed in");
  return entered;
}
