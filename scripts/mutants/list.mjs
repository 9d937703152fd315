// Small faults that the tests must notice. `from`, which occurs once in `file`, becomes `to`. `tests` are files, or
// folders of files, in which at least one test has to fail.

const ENGINE = 'electron/engine'
const COMPLETION = [
  'test/engine/multipart',
  'test/engine/upload',
  'test/reliability/upload/upload-lost-complete.test.ts',
]
const UPLOADS = ['test/engine/upload', 'test/simulation/upload/upload-simulation.test.ts']
const LINE = ['test/engine/line', 'test/simulation/upload/upload-simulation.test.ts']
const DOWNLOADS = ['test/engine/download', 'test/engine/partial-file', 'test/simulation/download/simulation.test.ts']
const RETRY = ['test/engine/retry']
const FOLDERS = ['test/engine/folders/folder-files.test.ts']

export const MUTANTS = [
  // Completion: an outcome is proven, never assumed.
  {
    name: 'existence-is-proof',
    file: `${ENGINE}/multipart/evidence.ts`,
    from: "if (verdict !== 'silent' || isOtherSize(found, goal)) return 'other'",
    to: "if (verdict !== 'silent' || isOtherSize(found, goal)) return 'ours'",
    tests: COMPLETION,
  },
  {
    name: 'gone-is-success',
    file: `${ENGINE}/multipart/evidence.ts`,
    from: "if (!settled) return { kind: 'read-back' }",
    to: "if (!settled) return { kind: 'done', verification: 'evidence' }",
    tests: COMPLETION,
  },
  {
    name: 'unknown-outcome-may-be-aborted',
    file: `${ENGINE}/multipart/complete.ts`,
    from: 'if (failure instanceof TransferError) return failed(failure, !unknown)',
    to: 'if (failure instanceof TransferError) return failed(failure, true)',
    tests: [...COMPLETION, ...UPLOADS],
  },
  {
    name: 'no-look-after-completing',
    file: `${ENGINE}/multipart/complete.ts`,
    from: "if (verdict === 'agrees' && attempt.uploadId === null) return proven",
    to: "if (verdict === 'agrees') return proven",
    tests: [...COMPLETION, ...UPLOADS],
  },
  {
    name: 'any-etag-is-right',
    file: `${ENGINE}/multipart/complete.ts`,
    from: "if (verdict === 'differs') {",
    to: "if (verdict === 'never') {",
    tests: COMPLETION,
  },
  {
    name: 'size-is-not-compared',
    file: `${ENGINE}/multipart/evidence.ts`,
    from: 'return found.sizeBytes !== null && goal.sizeBytes !== null && found.sizeBytes !== goal.sizeBytes',
    to: 'return false',
    tests: COMPLETION,
  },
  {
    name: 'token-is-not-compared',
    file: `${ENGINE}/multipart/evidence.ts`,
    from: 'const isMarked = goal.token !== undefined && mark === goal.token',
    to: 'const isMarked = goal.token !== undefined',
    tests: COMPLETION,
  },
  {
    name: 'baseline-is-forgotten',
    file: `${ENGINE}/multipart/evidence.ts`,
    from: "if (baseline !== null && hasSameContent(found, baseline)) return 'unchanged'",
    to: '',
    tests: COMPLETION,
  },
  {
    name: 'hidden-object-is-absent',
    file: `${ENGINE}/multipart/read-back.ts`,
    from: "if (isHidden(error)) return 'hidden'",
    to: "if (isHidden(error)) return 'absent'",
    tests: COMPLETION,
  },
  {
    name: 'error-in-a-success-is-believed',
    file: `${ENGINE}/multipart/refusals.ts`,
    from: "return classify(failure).kind === 'wait' || isSuccessStatus(failure)",
    to: "return classify(failure).kind === 'wait'",
    tests: COMPLETION,
  },
  {
    name: 'intent-is-not-durable',
    file: `${ENGINE}/upload/upload.ts`,
    from: '  await run.save({ intent })\n',
    to: '',
    tests: [...COMPLETION, ...UPLOADS],
  },
  {
    name: 'source-is-not-checked-before-completing',
    file: `${ENGINE}/upload/upload.ts`,
    from: 'context.signal.throwIfAborted()\n  await source.check()\n',
    to: 'context.signal.throwIfAborted()\n',
    tests: UPLOADS,
  },
  {
    name: 'source-is-not-checked-right-before-completing',
    file: `${ENGINE}/upload/upload.ts`,
    from: 'beforeSend: async () => (isPartsOnly === true ? undefined : (await planned()).source.now.check()),',
    to: 'beforeSend: async () => void (isPartsOnly === true ? undefined : await planned()),',
    tests: UPLOADS,
  },
  {
    name: 'taken-key-is-replaced',
    file: `${ENGINE}/upload/key-policy.ts`,
    from: "return { ...intent, ifAbsent: onConflict === 'fail' }",
    to: 'return { ...intent, ifAbsent: onConflict === undefined }',
    tests: UPLOADS,
  },
  {
    name: 'old-version-is-a-success',
    file: `${ENGINE}/upload/upload.ts`,
    from: '      await refuseOldVersion(run)\n',
    to: '',
    tests: UPLOADS,
  },
  {
    name: 'started-over-is-what-it-was',
    file: `${ENGINE}/core/new-records.ts`,
    from: 'return { ...RECORD_ANEW[direction], ...replaces }',
    to: "return { ...(status === 'completed' ? ANEW : RECORD_ANEW[direction]), ...replaces }",
    tests: UPLOADS,
  },
  {
    name: 'cancel-looks-once',
    file: `${ENGINE}/upload/resolve-outcome.ts`,
    from: 'const isLastLook = clock.monotonicMs() >= untilMs',
    to: 'const isLastLook = true',
    tests: UPLOADS,
  },
  {
    name: 'abort-is-believed',
    file: `${ENGINE}/upload/abort-queue.ts`,
    from: 'if (!isGone && !(await saysGone(store.listParts({ ...address, maxParts: 1 }), GONE_OR_HIDDEN))) throw STILL_THERE',
    to: 'if (isGone) return',
    tests: ['test/engine/queue', ...UPLOADS],
  },

  // The line: a file that delivers no bytes holds up no other, and nothing is sent again because of it.
  {
    name: 'file-that-hangs-holds-up-others',
    file: `${ENGINE}/line/upload/late-watch.ts`,
    from: 'member.isStuck = isStandingStill(standstill, aheadOf(member))',
    to: 'member.isStuck = body.isHanded && isStandingStill(standstill, aheadOf(member))',
    tests: LINE,
  },
  {
    name: 'part-is-sent-again-for-its-file',
    file: `${ENGINE}/line/upload/late-watch.ts`,
    from: 'if (isWaiting(member)) return\n',
    to: '',
    tests: LINE,
  },
  {
    name: 'files-that-hang-fill-the-line',
    file: `${ENGINE}/line/upload/upload-admission.ts`,
    from: '.filter((each) => !isStarved(each))',
    to: '',
    tests: LINE,
  },
  {
    name: 'limit-leaves-the-line-wide',
    file: `${ENGINE}/line/upload/upload-admission.ts`,
    from: 'const width = Math.min(line.width, mostUnderLimit(asked))',
    to: 'const width = line.width + 0 * mostUnderLimit(asked)',
    tests: ['test/engine/upload/under-limit.test.ts'],
  },

  // Parts: what is recorded is on the server, and what is on the server belongs to this file.
  {
    name: 'part-is-not-recorded',
    file: `${ENGINE}/upload/part-workers.ts`,
    from: 'checkpoints.putParts(record.id, [{ partNumber, sizeBytes, ...sent }])',
    to: 'Promise.resolve([sent, checkpoints])',
    tests: UPLOADS,
  },
  {
    name: 'part-of-another-etag-agrees',
    file: `${ENGINE}/upload/reconcile-parts.ts`,
    from: 'return listed?.sizeBytes === part.sizeBytes && isSameEtag(listed.etag, part.etag)',
    to: 'return listed?.sizeBytes === part.sizeBytes',
    tests: UPLOADS,
  },
  {
    name: 'foreign-part-is-taken-for-ours',
    file: `${ENGINE}/upload/reconcile-parts.ts`,
    from: '    if (!isSameEtag(part.etag, md5)) continue\n',
    to: '',
    tests: UPLOADS,
  },
  {
    name: 'source-is-not-checked-after-a-part',
    file: `${ENGINE}/upload/send-range.ts`,
    from: '    await source.check()\n    const md5 = learn(proof, sent.body)\n',
    to: '    const md5 = learn(proof, sent.body)\n',
    tests: UPLOADS,
  },
  {
    name: 'damaged-part-is-kept',
    file: `${ENGINE}/upload/send-range.ts`,
    from: "if (etags.learn({ etag, md5 })) return { kind: 'sent', sent: { etag, md5 } }",
    to: "if (etags.learn({ etag, md5 }) || etag !== '') return { kind: 'sent', sent: { etag, md5 } }",
    tests: UPLOADS,
  },

  // Claims: bytes are durable before they are claimed, and are believed only if they fit.
  {
    name: 'claim-before-sync',
    file: `${ENGINE}/partial-file/claim-ledger.ts`,
    from: '      await this.#file.sync()\n',
    to: '',
    tests: DOWNLOADS,
  },
  {
    name: 'failed-sync-is-tried-again',
    file: `${ENGINE}/partial-file/claim-ledger.ts`,
    from: '      this.dropUnclaimed()\n      this.#failedSyncs += 1\n',
    to: '      added.add(this.#noted.all)\n      this.#noted = added\n      this.#writtenBytes += totalLength(added.all)\n      this.#failedSyncs += 1\n',
    tests: DOWNLOADS,
  },
  {
    name: 'damaged-claim-is-kept',
    file: `${ENGINE}/download/resume.ts`,
    from: 'return claims.filter((claim) => !damaged.has(claim))',
    to: 'return claims',
    tests: DOWNLOADS,
  },
  {
    name: 'note-is-believed-unseen',
    file: `${ENGINE}/download/resume.ts`,
    from: 'if (!damaged.has(range) && (await file.rewrite(range)) === range.crc32) found.push(range)',
    to: 'found.push(range)',
    tests: DOWNLOADS,
  },
  {
    name: 'note-of-another-version-is-believed',
    file: `${ENGINE}/download/resume.ts`,
    from: 'return a.sizeBytes === b.sizeBytes && a.etag === b.etag && a.lastModified === b.lastModified',
    to: 'return a.sizeBytes === b.sizeBytes',
    tests: DOWNLOADS,
  },

  // Adoption: what somebody else may have written proves nothing.
  {
    name: 'sidecar-of-anybody-is-ours',
    file: `${ENGINE}/partial-file/sidecar.ts`,
    from: 'const isOurs = found !== undefined && isMacOf(found.mac, macKey, first)',
    to: 'const isOurs = found !== undefined && (isMacOf(found.mac, macKey, first) || first !== undefined)',
    tests: DOWNLOADS,
  },
  {
    name: 'partial-of-others-is-taken-over',
    file: `${ENGINE}/partial-file/adopt-partial.ts`,
    from: 'const from = isTakenOver ? { partialPath } : { borrowedFrom: partialPath }',
    to: 'const from = { partialPath, isTakenOver }',
    tests: [...DOWNLOADS, 'test/engine/queue'],
  },
  {
    name: 'partial-in-use-is-adopted',
    file: `${ENGINE}/partial-file/adopt-partial.ts`,
    from: 'if (await isStillRunning(content, mtimeMs)) {',
    to: 'if (mtimeMs < 0) {',
    tests: DOWNLOADS,
  },
  {
    name: 'unusable-responses-are-forgotten',
    file: `${ENGINE}/download/response-series.ts`,
    from: 'unusable: () => (this.#unusable = Math.max(this.#unusable, known + 1)),',
    to: 'unusable: () => (this.#unusable = 1),',
    tests: DOWNLOADS,
  },

  // Publishing: nothing is replaced without consent, and the final name is durable.
  {
    name: 'final-name-replaces',
    file: `${ENGINE}/partial-file/publish.ts`,
    from: 'await fileSystem.link(partialPath, finalPath)',
    to: 'return (await fileSystem.rename(partialPath, finalPath), true)',
    tests: DOWNLOADS,
  },
  {
    name: 'published-file-of-others-is-ours',
    file: `${ENGINE}/partial-file/publish.ts`,
    from: 'const isOurs = partial === null ? isPublished(final, publishing, identity) : isSameFile(final, partial)',
    to: 'const isOurs = isPublished(final, publishing, identity)',
    tests: DOWNLOADS,
  },
  {
    name: 'final-name-is-not-durable',
    file: `${ENGINE}/partial-file/publish.ts`,
    from: '  await onTarget(finalPath, () => syncDirectory(deps.fileSystem, dirname(finalPath)))\n',
    to: '',
    tests: DOWNLOADS,
  },

  // Files of folders: one file's state is never reported for another, and the reason for each failure is kept.
  {
    name: 'states-outlive-another-listing',
    file: `${ENGINE}/queue/rows/transfer-queue.ts`,
    from: '        this.#entries.get(id)?.progress?.files.clear()\n',
    to: '',
    tests: FOLDERS,
  },
  {
    name: 'failures-are-not-kept',
    file: `${ENGINE}/folders/journal-commits.ts`,
    from: '    await checkpoints.addFailed(context.record.id, failed)\n',
    to: '',
    tests: FOLDERS,
  },

  // Retries: waits grow, end when they should, and never wait for a person's mistake to go away.
  {
    name: 'backoff-does-not-grow',
    file: `${ENGINE}/retry/create-retry-policy.ts`,
    from: 'BACKOFF_BASE_MS * 2 ** Math.min(attempt, 16)',
    to: 'BACKOFF_BASE_MS',
    tests: RETRY,
  },
  {
    name: 'retry-after-is-ignored',
    file: `${ENGINE}/retry/create-retry-policy.ts`,
    from: 'backoffMs(attempt, random), longMs, verdict.retryAfterMs ?? 0',
    to: 'backoffMs(attempt, random), longMs',
    tests: RETRY,
  },
  {
    name: 'never-gives-up',
    file: `${ENGINE}/retry/create-retry-policy.ts`,
    from: 'if (leftMs <= 0 || (verdict.retryAfterMs ?? 0) > leftMs) throw gaveUp(failure, verdict)',
    to: 'if (leftMs < -1e12) throw gaveUp(failure, verdict)',
    tests: RETRY,
  },
  {
    name: 'refusal-is-waited-for',
    file: `${ENGINE}/retry/create-retry-policy.ts`,
    from: "      if (verdict.kind === 'stop') throw verdict.error\n",
    to: '',
    tests: RETRY,
  },
  {
    name: 'unreadable-response-is-mended-at-once',
    file: `${ENGINE}/retry/create-retry-policy.ts`,
    from: "'web-page', 'bad-answer', 'keys-awaited'",
    to: "'web-page', 'keys-awaited'",
    tests: RETRY,
  },
]
