// What is wrong with the words that a place is made of, before its service is asked.

import { t } from '../../shared/language/translate.ts'
import { BUCKET_NAME, SIGNED_WORD } from '../../shared/place/place.ts'

/** Why a bucket can’t have this name; null: it can, or every bucket is meant. */
export function bucketProblem(bucket: string): string | null {
  return bucket === '' || BUCKET_NAME.test(bucket) ? null : t('services.check.bucket-name', { bucket })
}

/** Why a region or scheme can’t be this; null: it can, or is left out. */
export function signedWordProblem(word: string): string | null {
  return word === '' || SIGNED_WORD.test(word) ? null : t('places.word.problem')
}
