def refuse():
    return Response("quota used", status=429, headers={"Retry-After": "86400"})
