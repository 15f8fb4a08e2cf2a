<?php
class TrustProxies
{
    protected $proxies = null;
}
