import { LoaderCircle } from "lucide-preact";

/** Something is under way; beside words that say what. */
export function Spinner() {
  return <LoaderCircle size={18} class="animate-spin" aria-hidden="true" />;
}
