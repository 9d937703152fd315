import { useState } from 'react'
import { t } from '../../shared/language/translate.ts'
import { assertNever } from '../../shared/assert.ts'
import type { FilePreview } from '../../shared/ipc/object-requests.ts'
import { PREVIEW_MAX_BYTES, PREVIEW_MAX_PIXELS } from '../../shared/limits.ts'
import { useAnswer } from '../ui/hooks/use-answer.ts'
import { formatBytes } from '../words/format.ts'
import styles from './preview.module.css'

/** Why a file has no preview. */
function noneWords(why: (FilePreview & { readonly kind: 'none' })['why']): string {
  switch (why) {
    case 'too-large':
      return t('browser.preview.too-large', { size: formatBytes(PREVIEW_MAX_BYTES) })
    case 'too-many-pixels':
      return t('browser.preview.too-many-pixels', { megapixels: PREVIEW_MAX_PIXELS / 1_000_000 })
    case 'damaged':
      return t('browser.preview.damaged')
    case 'unknown-kind':
      return t('browser.preview.unknown-kind')
    default:
      return assertNever(why)
  }
}

export interface PreviewProps {
  readonly name: string
  readonly sizeBytes: number
  /** Reads as much of the file as the preview takes. */
  readonly look: (signal: AbortSignal) => Promise<FilePreview>
}

/** The preview of a file. Shows only images and text, and runs nothing in them. */
export function Preview({ name, sizeBytes, look }: PreviewProps) {
  return sizeBytes > PREVIEW_MAX_BYTES ? <Words text={noneWords('too-large')} /> : <Read name={name} look={look} />
}

function Read({ name, look }: Pick<PreviewProps, 'name' | 'look'>) {
  const { value, error } = useAnswer(look)
  if (error !== null) return <Words text={error} />
  return value === null ? <Words text={t('browser.preview.loading')} /> : <Shown preview={value} name={name} />
}

function Shown({ preview, name }: { readonly preview: FilePreview; readonly name: string }) {
  const [isBroken, setIsBroken] = useState(false)
  if (preview.kind === 'none') return <Words text={noneWords(preview.why)} />
  if (preview.kind === 'text') return <Text text={preview.text} isCut={preview.isCut} name={name} />
  if (isBroken) return <Words text={noneWords('damaged')} />
  return (
    <div className={styles['frame']}>
      <img
        className={styles['image']}
        src={preview.url}
        alt={t('browser.preview.of', { name })}
        draggable={false}
        onError={() => setIsBroken(true)}
      />
    </div>
  )
}

function Text({ text, isCut, name }: { readonly text: string; readonly isCut: boolean; readonly name: string }) {
  if (text === '') return <Words text={t('browser.preview.empty')} />
  return (
    <>
      {/* A scrollable area must be reachable by keyboard. */}
      <pre
        className={styles['text']}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="region"
        aria-label={t('browser.preview.of', { name })}
        dir="auto"
      >
        {text}
      </pre>
      {isCut && <Words text={t('browser.preview.cut')} />}
    </>
  )
}

function Words({ text }: { readonly text: string }) {
  return <p className={styles['words']}>{text}</p>
}
