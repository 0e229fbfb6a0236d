package doc

// FileName returns the name of the file, relative to the document's folder,
// that a src refers to.
func FileName(src string) (string, error) { return fileName(src) }
