import { z } from "zod";
import { limits } from "../../catalogue/limits.ts";
import { operation } from "../../kernel/operation.ts";
import { QuestionReview } from "../../model/questions.ts";
import { answerOnPage } from "./answer.ts";
import { byAnswerToken, reviewQuestion } from "./find.ts";
import { valueFromForm } from "./rules.ts";

const Token = z.string({ error: "question_link_invalid" }).max(200, { error: "question_link_invalid" });

/**
 * What owners do with questions, by the token that only they were mailed. No API key answers for an owner.
 */
export const questions = {
  review: operation({
    summary: "Shows an owner what they are asked, by the token of their letter, without answering anything.",
    scope: "public",
    allow: "any",
    owners_only: true,
    input: z.object({ token: Token }),
    output: QuestionReview,
    async run(ctx, { token }) {
      return reviewQuestion(await byAnswerToken(ctx, token), ctx.now);
    },
  }),

  answer: operation({
    summary:
      "Answers for the owner who holds the token of the letter: yes or no, a number, a date as YYYY-MM-DD, an option, or text.",
    scope: "public",
    allow: "any",
    owners_only: true,
    input: z.object({
      token: Token,
      value: z.string({ error: "invalid_answer" }).max(limits.answer_chars, { error: "invalid_answer" }),
    }),
    output: QuestionReview,
    async run(ctx, { token, value }) {
      const asked = await byAnswerToken(ctx, token);
      await answerOnPage(ctx, asked, valueFromForm(asked.update.question, value), ctx.now);
      return reviewQuestion(await byAnswerToken(ctx, token), ctx.now);
    },
  }),
};
