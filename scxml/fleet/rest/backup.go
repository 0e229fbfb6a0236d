package rest

import (
	"net/http"
	"time"
)

// sendBackup sends a copy of the store. A copy that is not complete ends without the end of its encoding,
// so that the client notices.
func (s *Server) sendBackup(c *call) error {
	if s.cfg.Backup == nil {
		return refuse(http.StatusNotFound, "unknown-route", "this server makes no backups")
	}
	w := &stream{w: c.w, rc: http.NewResponseController(c.w), timeout: s.cfg.Timeout}
	_ = w.rc.SetReadDeadline(time.Time{}) // those of the server are for requests
	_ = w.rc.SetWriteDeadline(time.Time{})
	c.w.Header().Set("Content-Type", "application/octet-stream")
	err := s.cfg.Backup(w)
	if err == nil {
		return nil
	}
	if !w.begun {
		return err
	}
	s.log.ErrorContext(c, "cannot send a backup", "error", err)
	panic(http.ErrAbortHandler)
}
