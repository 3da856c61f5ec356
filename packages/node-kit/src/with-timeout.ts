/**
 * The promise's outcome, or that of `late` once it takes longer than `milliseconds`: by default `undefined`. What
 * becomes of the promise after that is ignored, also a failure.
 */
export function withTimeout<T, L = undefined>(
  milliseconds: number,
  promise: Promise<T>,
  late: () => L = () => undefined as L,
): Promise<T | L> {
  return new Promise<T | L>((resolve, reject) => {
    const timer = setTimeout(() => resolve(new Promise((settle) => settle(late()))), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
