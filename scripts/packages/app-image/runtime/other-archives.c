/*
 * An archive of Sluice is packed with Zstandard. What squashfuse would open others with is answered here, always with a
 * failure, so that neither those libraries nor their licences (LZO's is the GPL) become part of the runtime.
 */

/* A negative count is LZ4's failure. */
int LZ4_decompress_safe(void) { return -1; }

/* LZO_E_ERROR */
int lzo1x_decompress_safe(void) { return -1; }

/* Z_DATA_ERROR */
int uncompress(void) { return -3; }

/* LZMA_PROG_ERROR; squashfuse takes the first, later versions of it the other three. */
int lzma_stream_buffer_decode(void) { return 11; }
int lzma_alone_decoder(void) { return 11; }
int lzma_code(void) { return 11; }
void lzma_end(void) {}
