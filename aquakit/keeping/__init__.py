"""What people leave behind on their own computer: files that are opened safely, and the games they played."""
