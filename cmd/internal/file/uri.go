package file

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
)

// FromURI returns the path that a URI of the scheme file has, or "" for other documents, such as one that was
// never saved.
func FromURI(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return ""
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // /c:/charts
		if u.Host != "" {
			path = "//" + u.Host + "/" + path
		}
	}
	return filepath.FromSlash(path)
}

// URI returns the URI of an absolute path.
func URI(path string) string {
	path = filepath.ToSlash(path)
	u := url.URL{Scheme: "file", Path: path}
	if host, rest, ok := strings.Cut(strings.TrimPrefix(path, "//"), "/"); ok && strings.HasPrefix(path, "//") {
		u.Host, u.Path = host, "/"+rest
	} else if !strings.HasPrefix(path, "/") {
		u.Path = "/" + path
	}
	return u.String()
}
