/** Begins an upload as another tool would. */
export async function beginUpload(
  proxy: { readonly endpoint: string },
  key: string,
  parts: readonly Buffer[],
  bucket = 'demo',
): Promise<string> {
  const url = `${proxy.endpoint}/${bucket}/${key}`
  const { UploadId } = (await (await fetch(`${url}?uploads`, { method: 'POST' })).json()) as { UploadId: string }
  for (const [index, body] of parts.entries()) {
    await fetch(`${url}?partNumber=${index + 1}&uploadId=${UploadId}`, { method: 'PUT', body: new Uint8Array(body) })
  }
  return UploadId
}
