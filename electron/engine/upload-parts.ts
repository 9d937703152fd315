import { fixedShare } from './connection-shares.ts'
import { UploadCrew } from './upload-crew.ts'
import type { PlannedUpload } from './upload-session.ts'

/**
 * Sends parts of an open upload, in order, several at a time: as many as pay where no number is given. Each counts once
 * the checkpoint has it for good. Throws the first failure after every request has ended; what was acknowledged by then
 * is kept.
 */
export async function sendParts(
  upload: PlannedUpload,
  uploadId: string,
  partNumbers: readonly number[],
): Promise<void> {
  const { connections, store, signal } = upload.run.context
  let crew: UploadCrew | null = null
  const share =
    typeof connections === 'number'
      ? fixedShare(connections)
      : connections.join(store.host, 'upload', () => crew?.pump())
  try {
    crew = new UploadCrew(upload, uploadId, partNumbers, share)
    await crew.run()
  } finally {
    crew = null
    share.leave()
  }
  signal.throwIfAborted()
}
