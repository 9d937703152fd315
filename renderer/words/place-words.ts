// Checks the words that a place consists of before its service is asked.

import { t } from '../../shared/language/translate.ts'
import { BUCKET_NAME, SIGNED_WORD } from '../../shared/place/place.ts'

/** Why a bucket can’t have this name; null if it can, or the name is empty (every bucket). */
export function bucketProblem(bucket: string): string | null {
  return bucket === '' || BUCKET_NAME.test(bucket) ? null : t('services.check.bucket-name', { bucket })
}

/** Why a word can’t be a region or scheme; null if it can, or is empty. */
export function signedWordProblem(word: string): string | null {
  return word === '' || SIGNED_WORD.test(word) ? null : t('places.word.problem')
}
