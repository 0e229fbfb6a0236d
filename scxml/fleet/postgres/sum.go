package postgres

import (
	"encoding/binary"
	"fmt"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/codec"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/index"
)

// The checksums of PostgreSQL are off in most databases. So records, log entries and files have their
// own.

func checksum(parts ...[]byte) int32 { return int32(codec.Checksum(parts...)) }

// recordSum returns the checksum of a record, but for its revision, which the server gives.
func recordSum(rec *fleet.Record) int32 {
	b := make([]byte, 0, 300)
	for _, text := range []string{rec.Key, rec.Chart, rec.Hash, rec.Status} {
		b = binary.BigEndian.AppendUint16(b, uint16(len(text)))
		b = append(b, text...)
	}
	b = binary.BigEndian.AppendUint64(b, rec.Accepted)
	b = binary.BigEndian.AppendUint64(b, uint64(index.Nanos(rec.Wake)))
	if rec.Pending {
		b = append(b, 1)
	}
	return checksum(b, rec.Body)
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%s: checksum does not match: %w", fmt.Sprintf(format, args...), fleet.ErrCorrupt)
}
