/*
 * Sluice's archives are packed with Zstandard. The functions that squashfuse would call for other formats are defined
 * here and always fail, so that neither those libraries nor their licenses (LZO's is the GPL) are part of the runtime.
 */

/* LZ4 reports failure as a negative count. */
int LZ4_decompress_safe(void) { return -1; }

/* LZO_E_ERROR */
int lzo1x_decompress_safe(void) { return -1; }

/* Z_DATA_ERROR */
int uncompress(void) { return -3; }

/* LZMA_PROG_ERROR. squashfuse calls the first; later versions of it call the other three. */
int lzma_stream_buffer_decode(void) { return 11; }
int lzma_alone_decoder(void) { return 11; }
int lzma_code(void) { return 11; }
void lzma_end(void) {}
