/**
 * Reads the QR codes in pictures made by strangers, within limits of its own and without blocking anything else.
 */
export interface PictureCodes {
  /**
   * The texts of the codes in a picture (PNG, JPEG and the like), most often none: a picture that is no picture, or too
   * large, has none either. Fails only if it can't read pictures now, for instance when too many wait.
   */
  read(picture: Uint8Array): Promise<readonly string[]>;
}
