import SourceText

extension ScenarioDecoder {
  /// Mends what is mechanical in a scenario file and in the files that it uses.
  ///
  /// Nothing is written: `mended` holds the new texts.
  package func mend(_ file: SourceFile) -> FileMender {
    FileMender { texts in
      var decoder = self
      decoder.files = FileOverlay(files, texts: texts)
      return decoder.decode(texts[file.path] ?? file).diagnostics
    }
  }
}
