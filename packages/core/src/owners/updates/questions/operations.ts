import { z } from "zod";
import { UpdateId } from "../../../catalogue/id-inputs.ts";
import { OWNERS, SIGNED_IN, signedIn } from "../../../kernel/access/caller.ts";
import { checkActsAlone } from "../../../kernel/letters/letter-token.ts";
import { operation } from "../../../kernel/operation.ts";
import { AnswerInput, QuestionReview } from "../../../model/questions.ts";
import { answerWithoutMail } from "./answer.ts";
import { questionByToken, questionOfPerson, reviewQuestion } from "./find.ts";

const Token = z.string({ error: "question_link_invalid" }).max(200, { error: "question_link_invalid" });

/**
 * The owners' operations on questions, by the token that only they were mailed. No API key can answer for an
 * owner.
 */
export const questions = {
  review: operation({
    summary: "Shows an owner a question, by the token of their letter. Answers nothing.",
    when: "A page of your own that shows an owner a question.",
    scope: "public",
    effect: "read",
    letter: "question",
    allow: "any",
    callers: OWNERS,
    input: z.object({ token: Token.describe("The token of the letter.") }),
    output: QuestionReview,
    run: async (ctx) => reviewQuestion(ctx.letter, ctx.now),
  }),

  answer: operation({
    summary:
      "Answers a question with the token of the owner's letter: by a value of the question's type, or in the words in which a person would reply.",
    when: "A page of your own on which an owner answers.",
    example: { value: "Recycled" },
    errors: ["question_closed", "session_required"],
    scope: "public",
    effect: "write",
    letter: "question",
    allow: "any",
    callers: OWNERS,
    input: z.object({
      token: Token.describe("The token of the letter."),
      value: AnswerInput,
    }),
    output: QuestionReview,
    async run(ctx, { token, value }) {
      const asked = ctx.letter;
      checkActsAlone(asked.secret, ctx.caller);
      await answerWithoutMail(ctx, asked, { said: value, method: "page" }, ctx.now);
      return reviewQuestion(await questionByToken(ctx, token, ctx.now), ctx.now);
    },
  }),

  answerInSession: operation({
    summary: "Answers a question in the session of an owner who was asked it.",
    when: "An app for owners in which they answer.",
    example: { value: "Recycled" },
    errors: ["question_closed"],
    scope: "public",
    effect: "write",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({
      update_id: UpdateId,
      value: AnswerInput,
    }),
    output: QuestionReview,
    async run(ctx, { update_id, value }) {
      const { email } = signedIn(ctx.caller);
      const asked = await questionOfPerson(ctx, email, update_id);
      await answerWithoutMail(ctx, asked, { said: value, method: "session" }, ctx.now);
      return reviewQuestion(await questionOfPerson(ctx, email, update_id), ctx.now);
    },
  }),
};
