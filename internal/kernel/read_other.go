//go:build !unix

package kernel

func readFile(string) ([]byte, error) { return nil, errNotLinux }

func readAgain(string, []byte) ([]byte, error) { return nil, errNotLinux }

func readFileAt(int, string, []byte) ([]byte, error) { return nil, errNotLinux }

func readAll(int, []byte) ([]byte, error) { return nil, errNotLinux }

func gone(err error) error { return err }

func folderOf(string) (links int, size int64, err error) { return 0, 0, errNotLinux }

func isHidden(int, string) bool { return false }
