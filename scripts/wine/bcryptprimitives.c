/* Random bytes for Windows programs in a Wine that lacks this library (before Wine 9). Only for tests. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count)
{
  return RtlGenRandom(bytes, (ULONG)count);
}
