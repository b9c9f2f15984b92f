package datasets

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// errChanged means that a file differs from what was trusted before.
var errChanged = errors.New("the file differs from the one that was fetched first")

// cached reads the instance from the cache. The error is fs.ErrNotExist when it
// is not there.
func (l *loader) cached(name string) (Instance, error) {
	if l.cache == "" {
		return nil, fs.ErrNotExist
	}
	for _, ext := range instanceExts {
		path := filepath.Join(l.cache, name+ext)
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil { // a cache that cannot be read is none
			l.log(fmt.Sprintf("the cache is of no use: %v", err))
			return nil, fs.ErrNotExist
		}
		if err := checkRecorded(path, data); err != nil {
			return nil, fmt.Errorf("datasets: cache: %s: %w; delete it to fetch it again", path, err)
		}
		inst, err := parse(data, path, name)
		if from, ferr := os.ReadFile(path + ".from"); ferr == nil && err == nil {
			if f, _ := lookup(name); f.sha256 == "" {
				setUnverified(inst, strings.TrimSpace(string(from)))
			}
		}
		return inst, err
	}
	return nil, fs.ErrNotExist
}

// checkRecorded compares data with the hash beside path, if there is one.
func checkRecorded(path string, data []byte) error {
	text, err := os.ReadFile(path + ".sha256")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	want, _, _ := strings.Cut(string(text), " ")
	if got := fileHash(data); strings.TrimSpace(want) != got {
		return fmt.Errorf(
			"%w: SHA-256 is %s, want %s (recorded in %s)", errChanged, got, strings.TrimSpace(want),
			path+".sha256",
		)
	}
	return nil
}

func fileHash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// keep puts a file into the cache, its hash beside it in the form of sha256sum, and the address
// where it came from when nothing vouches for it. When a hash from an earlier time is there, the
// file must have it.
func (l *loader) keep(file string, data []byte, from string) (path string, err error) {
	if l.cache == "" {
		return "", nil
	}
	if err := os.MkdirAll(l.cache, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(l.cache, file)
	if err := checkRecorded(path, data); err != nil {
		return "", err
	}
	if from != "" {
		if err := writeAtomic(path+".from", []byte(from+"\n")); err != nil {
			return "", err
		}
	} else if err := os.Remove(path + ".from"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	record := fileHash(data) + "  " + file + "\n"
	if err := writeAtomic(path+".sha256", []byte(record)); err != nil {
		return "", err
	}
	return path, writeAtomic(path, data)
}

// writeAtomic writes the file so that at any moment it is there whole or not at all.
func writeAtomic(path string, data []byte) (err error) {
	dir := filepath.Dir(path)
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(data); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
