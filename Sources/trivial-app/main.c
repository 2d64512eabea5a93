// The least that the runner takes for an app: it answers each request, and records one request for
// each tap. In C, so that beside it everything that the runner does itself shows.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void record(int action) {
  const char *folder = getenv("SIMULATOR_SHARED_RESOURCES_DIRECTORY");
  char path[4096], request[256];
  if (folder == NULL) return;
  if (snprintf(path, sizeof path, "%s/storedRequests.jsonl", folder) >= (int)sizeof path) abort();
  int length = snprintf(
      request, sizeof request,
      "{\"url\":\"https://ad.example.com/click?ad=A-1&area=cart\",\"action\":%d}\n", action);
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file < 0 || write(file, request, (size_t)length) != length) abort();
  close(file);
}

static void answer(const char *line) {
  const char *id = strstr(line, "\"id\":");
  if (id == NULL) abort();
  if (strstr(line, "\"method\":\"tap\"") != NULL) record(atoi(id + 5));
  const char *result =
      strstr(line, "\"method\":\"initialize\"") == NULL
          ? "{}"
          : "{\"protocolVersion\":1,\"app\":{\"name\":\"trivial-app\",\"version\":\"1\"},"
            "\"actions\":[\"tap\"]}";
  printf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":%s}\n", atoi(id + 5), result);
  fflush(stdout);
}

int main(void) {
  char line[4096];
  while (fgets(line, sizeof line, stdin) != NULL) answer(line);
  return 0;
}
