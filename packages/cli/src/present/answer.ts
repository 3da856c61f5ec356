import type { Context } from "../frame/context.ts";
import type { Shown } from "../frame/output.ts";
import { columnsOf } from "./columns.ts";

/** A list's answer, with pages or without. */
interface Page {
  data: Shown[];
  has_more?: boolean;
  next_cursor?: string | null;
}

/** Shows what an operation answered: a list as a table, anything else as a record. */
export async function showAnswer({ output, terminal }: Context, answer: unknown): Promise<void> {
  if (!isPage(answer)) return output.record(answer as Shown);
  await output.list(answer.data, columnsOf(answer.data[0]), "There is nothing.");
  if (answer.has_more === true && typeof answer.next_cursor === "string")
    terminal.note(`There is more: add --cursor ${answer.next_cursor}, or --all.`);
}

const isPage = (answer: unknown): answer is Page => Array.isArray((answer as Page | null)?.data);
